import os

import requests
from rest_framework import authentication, exceptions

API = "https://shop.example/api"


class Caller:
    is_authenticated = True

    def __init__(self, pk):
        self.pk = pk


def introspect(token):
    response = requests.post(
        f"{os.environ['LOGIN_URL']}/token/introspection",
        data={"token": token, "client_id": API, "client_secret": os.environ["SESSION_SECRET"]},
        timeout=10,
        allow_redirects=False,
    )
    response.raise_for_status()
    return response.json()


def verify(token):
    known = introspect(token)
    if not known["active"] or known.get("token_type") != "Bearer" or known.get("aud") != API:
        raise ValueError("no session")
    return known["sub"]


class BearerAuthentication(authentication.BaseAuthentication):
    def authenticate(self, request):
        scheme, _, token = authentication.get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            return Caller(verify(token.strip())), None
        except (requests.RequestException, KeyError, ValueError) as error:
            raise exceptions.AuthenticationFailed("Sign in first.") from error

    def authenticate_header(self, request):
        return "Bearer"
