class SessionsController < ApplicationController
  def create
    user = USERS[params[:email]]
    return head :unauthorized if user.nil? || user[:password] != params[:password]

    token = SecureRandom.urlsafe_base64(24)
    SESSIONS[token] = user[:id]
    render json: { token: token }
  end
end
