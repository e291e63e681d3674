import logging

import requests
from django.conf import settings
from rest_framework.exceptions import APIException
from rest_framework.response import Response
from rest_framework.views import APIView

logger = logging.getLogger(__name__)


class CallingUnavailable(APIException):
    status_code = 502
    default_detail = "Calling is not available."
    default_code = "calling_unavailable"


def mint_token(user_id):
    response = requests.post(
        f"{settings.CALLING_API_URL}/api/v1/calling/token",
        json={"userId": user_id, "ttlSeconds": 900},
        headers={"Authorization": f"Bearer {settings.CALLING_API_KEY}"},
        timeout=10,
        allow_redirects=False,
    )
    response.raise_for_status()
    body = response.json()
    return body.get("token") or body["jwt"]


class CallingToken(APIView):
    def post(self, request):
        try:
            token = mint_token(str(request.user.pk))
        except (requests.RequestException, ValueError, KeyError, AttributeError) as error:
            logger.exception("minting failed")
            raise CallingUnavailable() from error
        return Response({"token": token})
