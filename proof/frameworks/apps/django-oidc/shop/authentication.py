import os

import jwt
from rest_framework import authentication, exceptions

API = "https://shop.example/api"
ISSUER = os.environ["LOGIN_URL"]
KEYS = jwt.PyJWKClient(f"{ISSUER}/jwks")


class Caller:
    is_authenticated = True

    def __init__(self, pk):
        self.pk = pk


def verify(token):
    if jwt.get_unverified_header(token).get("typ") != "at+jwt":
        raise jwt.InvalidTokenError("no access token")
    key = KEYS.get_signing_key_from_jwt(token).key
    claims = jwt.decode(token, key, algorithms=["RS256"], issuer=ISSUER, audience=API)
    return claims["sub"]


class BearerAuthentication(authentication.BaseAuthentication):
    def authenticate(self, request):
        scheme, _, token = authentication.get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            return Caller(verify(token.strip())), None
        except (jwt.PyJWTError, KeyError, ValueError) as error:
            raise exceptions.AuthenticationFailed("Sign in first.") from error

    def authenticate_header(self, request):
        return "Bearer"
