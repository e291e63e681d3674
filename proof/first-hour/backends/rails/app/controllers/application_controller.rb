class ApplicationController < ActionController::API
  USERS = {
    'ann@shop.example' => { id: 'u1', password: 'ann-1' },
    'ben@shop.example' => { id: 'u2', password: 'ben-2' }
  }.freeze
  SESSIONS = Concurrent::Map.new

  def current_user_id
    SESSIONS[request.headers['Authorization'].to_s.delete_prefix('Bearer ')]
  end
end
