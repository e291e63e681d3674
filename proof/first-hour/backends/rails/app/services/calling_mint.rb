require 'net/http'

class CallingMint
  def self.token_for(user_id)
    uri = URI("#{ENV.fetch('CALLING_API_URL')}/api/v1/calling/token")
    request = Net::HTTP::Post.new(uri, 'Authorization' => "Bearer #{ENV.fetch('CALLING_API_KEY')}",
                                       'Content-Type' => 'application/json')
    request.body = { userId: user_id }.to_json
    response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https', open_timeout: 5, read_timeout: 5) do |http|
      http.request(request)
    end
    raise response.code unless response.is_a?(Net::HTTPSuccess)

    JSON.parse(response.body).fetch('token')
  end
end
