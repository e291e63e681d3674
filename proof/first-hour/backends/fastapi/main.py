import os
import secrets

import httpx
from fastapi import FastAPI, Header, HTTPException, Request
from pydantic import BaseModel

app = FastAPI()
users = {"ann@shop.example": ("u1", "ann-1"), "ben@shop.example": ("u2", "ben-2")}
sessions: dict[str, str] = {}


class Login(BaseModel):
    email: str
    password: str


@app.post("/login")
def login(body: Login):
    user_id, password = users.get(body.email, (None, None))
    if user_id is None or password != body.password:
        raise HTTPException(401)
    token = secrets.token_urlsafe(24)
    sessions[token] = user_id
    return {"access_token": token, "token_type": "bearer"}


@app.post("/calling/token")
async def calling_token(request: Request, authorization: str = Header("")):
    user_id = sessions.get(authorization.removeprefix("Bearer "))
    if user_id is None:
        raise HTTPException(401)
    try:
        wanted = (await request.json()).get("userId", user_id)
    except Exception:
        wanted = user_id
    async with httpx.AsyncClient(timeout=5) as client:
        try:
            response = await client.post(
                f"{os.environ['CALLING_API_URL']}/api/v1/calling/token",
                headers={"Authorization": f"Bearer {os.environ['CALLING_API_KEY']}"},
                json={"userId": wanted},
            )
            response.raise_for_status()
            return {"token": response.json()["token"]}
        except Exception:
            raise HTTPException(502)
