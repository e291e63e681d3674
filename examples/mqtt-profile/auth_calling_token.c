/*
 * mosquitto: lets in a user whose password is a calling token of that user, signed with HS256.
 *
 *   gcc -shared -fPIC -o auth_calling_token.so auth_calling_token.c -ljwt     (Debian: libmosquitto-dev, mosquitto-dev, libjwt-dev)
 *
 *   plugin /etc/mosquitto/auth_calling_token.so
 *   plugin_opt_secret …
 */
#include <string.h>
#include <time.h>
#include <jwt.h>
#include <mosquitto.h>
#include <mosquitto_broker.h>
#include <mosquitto_plugin.h>

static const char *secret;

/* The claims of a valid token, to be freed by the caller, or NULL. */
static jwt_t *claims_of(const char *token)
{
	jwt_t *claims = NULL;
	if (jwt_decode(&claims, token, (const unsigned char *)secret, (int)strlen(secret)) != 0) return NULL;
	if (jwt_get_alg(claims) == JWT_ALG_HS256 && jwt_get_grant_int(claims, "exp") > time(NULL)) return claims;
	jwt_free(claims);
	return NULL;
}

static int authenticate(int event, void *data, void *userdata)
{
	const struct mosquitto_evt_basic_auth *login = data;
	(void)event;
	(void)userdata;
	if (login->username == NULL || login->password == NULL) return MOSQ_ERR_AUTH;
	jwt_t *claims = claims_of(login->password);
	if (claims == NULL) return MOSQ_ERR_AUTH;
	const char *sub = jwt_get_grant(claims, "sub");
	int result = sub != NULL && strcmp(sub, login->username) == 0 ? MOSQ_ERR_SUCCESS : MOSQ_ERR_AUTH;
	jwt_free(claims);
	return result;
}

int mosquitto_plugin_version(int count, const int *versions)
{
	for (int place = 0; place < count; place++)
		if (versions[place] == 5) return 5;
	return -1;
}

int mosquitto_plugin_init(mosquitto_plugin_id_t *id, void **userdata, struct mosquitto_opt *options, int count)
{
	(void)userdata;
	for (int place = 0; place < count; place++)
		if (strcmp(options[place].key, "secret") == 0) secret = options[place].value;
	if (secret == NULL) return MOSQ_ERR_INVAL;
	return mosquitto_callback_register(id, MOSQ_EVT_BASIC_AUTH, authenticate, NULL, NULL);
}

int mosquitto_plugin_cleanup(void *userdata, struct mosquitto_opt *options, int count)
{
	(void)userdata;
	(void)options;
	(void)count;
	return MOSQ_ERR_SUCCESS;
}
