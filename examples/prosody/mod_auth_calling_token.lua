-- Prosody: lets in who opens the WebSocket with ?token=…, a calling token that is signed with HS256. Put it into a folder
-- of plugin_paths, and set authentication = "calling_token" and calling_token_secret in the host.
local new_sasl = require "util.sasl".new
local register_mechanism = require "util.sasl".registerMechanism
local formdecode = require "util.http".formdecode
local verify = require "util.jwt".verify

local secret = module:get_option_string("calling_token_secret")

local function user_of(token)
  -- What is no JWT at all is an error of verify.
  local ran, valid, claims = pcall(verify, secret, token or "")
  if not ran or not valid or type(claims) ~= "table" then return nil end
  if type(claims.exp) ~= "number" or claims.exp <= os.time() then return nil end
  return type(claims.sub) == "string" and claims.sub or nil
end

module:hook_global("websocket-session", function (event)
  local query = event.request.url.query
  local params = query and formdecode(query)
  event.session.calling_token = type(params) == "table" and params.token or nil
end)

-- The mechanism of Prosody asks again until a user name pleases.
register_mechanism("ANONYMOUS", { "calling_token" }, function (self)
  local user = self.profile.calling_token()
  if not user then return "failure", "not-authorized", "the calling token is not valid" end
  self.username = user
  return "success"
end)

local provider = {}

function provider.get_sasl_handler(session)
  return new_sasl(module.host, {
    calling_token = function () return user_of(session.calling_token) end,
  })
end

function provider.user_exists() return true end

module:provides("auth", provider)
