"""Where people sign in and out, and prove once more that it is them."""

from django.urls import path

from accounts import views

app_name = "accounts"

urlpatterns = [
    path("sign-in/", views.SignIn.as_view(), name="sign-in"),
    path("sign-in/second-step/", views.second_step, name="second-step"),
    path("prove/", views.prove, name="prove"),
    path("sign-out/", views.sign_out, name="sign-out"),
]
