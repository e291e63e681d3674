ENV['BUNDLE_GEMFILE'] ||= File.expand_path('../Gemfile', __dir__)
