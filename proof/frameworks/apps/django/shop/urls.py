from django.urls import path

from .views import CallingToken

urlpatterns = [path("calling/token/", CallingToken.as_view())]
