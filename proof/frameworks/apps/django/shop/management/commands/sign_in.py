"""Creates the users of a test with their sessions."""

import json
import os

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand
from rest_framework.authtoken.models import Token


class Command(BaseCommand):
    def handle(self, *args, **options):
        for session in json.loads(os.environ["SEED_SESSIONS"]):
            user = User.objects.create_user(session["email"], session["email"], pk=int(session["userId"]))
            Token.objects.create(user=user, key=session["token"])
