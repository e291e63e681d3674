class CallsController < ApplicationController
  def create
    return head :unauthorized if current_user_id.nil?

    render json: { token: CallingMint.token_for(params[:userId] || current_user_id) }
  rescue StandardError
    render json: { error: 'no token' }, status: :bad_gateway
  end
end
