require_relative 'boot'
require 'rails'
require 'action_controller/railtie'

module Shop
  class Application < Rails::Application
    config.load_defaults 6.1
    config.api_only = true
    config.eager_load = false
  end
end
