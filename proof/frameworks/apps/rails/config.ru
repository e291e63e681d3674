# frozen_string_literal: true

require 'rails'
require 'active_record/railtie'
require 'action_controller/railtie'
require 'net/http'

class Shop < Rails::Application
  config.load_defaults 6.1
  config.api_only = true
  config.eager_load = false
  config.consider_all_requests_local = false
  config.hosts.clear
  config.log_level = :info
  config.filter_parameters += %i[token secret _key]
  config.logger = ActiveSupport::Logger.new($stdout)
end

ENV['DATABASE_URL'] = 'sqlite3:shop.sqlite3?pool=32&timeout=5000'
Shop.initialize!

ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table :users, force: true do |t|
    t.string :email
  end
  create_table :sessions, force: true do |t|
    t.references :user
    t.string :token, index: { unique: true }
    t.datetime :expires_at
  end
end

class User < ActiveRecord::Base
  has_many :sessions
end

class Session < ActiveRecord::Base
  belongs_to :user
  has_secure_token
  scope :active, -> { where('expires_at > ?', Time.current) }
end

JSON.parse(ENV.fetch('SEED_SESSIONS')).each do |seed|
  user = User.find_or_create_by!(id: seed.fetch('userId'), email: seed.fetch('email'))
  user.sessions.create!(token: seed.fetch('token'), expires_at: Time.zone.at(seed.fetch('expiresAt')))
end

class CallingMint
  class Unavailable < StandardError; end

  def self.token_for(user)
    uri = URI("#{ENV.fetch('CALLING_API_URL')}/api/v1/calling/token")
    request = Net::HTTP::Post.new(uri, 'Authorization' => "Bearer #{ENV.fetch('CALLING_API_KEY')}",
                                       'Content-Type' => 'application/json')
    request.body = { userId: user.id.to_s, ttlSeconds: 900 }.to_json
    response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https',
                                                   open_timeout: 5, read_timeout: 10) do |http|
      http.request(request)
    end
    raise Unavailable, "mint answered #{response.code}" unless response.is_a?(Net::HTTPSuccess)

    body = JSON.parse(response.body)
    token = body['token'] || body['jwt']
    token.is_a?(String) && token.present? ? token : raise(Unavailable, 'mint sent no token')
  end
end

class ApplicationController < ActionController::API
  include ActionController::HttpAuthentication::Token::ControllerMethods

  before_action :authenticate

  private

  attr_reader :current_user

  def authenticate
    @current_user = authenticate_with_http_token { |token, _| Session.active.find_by(token: token)&.user }
    render json: { error: 'Unauthorized' }, status: :unauthorized unless @current_user
  end
end

class CallingTokensController < ApplicationController
  def create
    render json: { token: CallingMint.token_for(current_user) }
  rescue StandardError => error
    logger.error("#{error.class}: #{error.message}")
    render json: { error: 'calling is not available' }, status: :bad_gateway
  end
end

Shop.routes.draw do
  post '/calling/token', to: 'calling_tokens#create'
end

run Shop
