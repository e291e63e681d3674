Rails.application.routes.draw do
  post 'login', to: 'sessions#create'
  post 'calling/token', to: 'calls#create'
end
