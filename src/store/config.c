/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <ctype.h>

#include "store/config.h"

/* What .accelopt/config of a commit may set; see ao_config_keep_search(). */
static const char *const search_keys[] = {
	"accelopt.beam",     "accelopt.fixrounds",
	"accelopt.insights", "accelopt.iterations",
	"accelopt.maxevals", "accelopt.maxtime",
	"accelopt.memory",   "accelopt.negativethreshold",
	"accelopt.plans",    "accelopt.positivethreshold",
	"accelopt.samples",  "accelopt.seed",
};

/* Section and name in lower case; a subsection between them as it is. */
static char *normal_key(const char *key)
{
	char *normal = ao_xstrdup(key);
	char *first = strchr(normal, '.');
	char *last = strrchr(normal, '.');

	for (char *c = normal; *c; c++)
		if (!first || c < first || c > last)
			*c = (char)tolower((unsigned char)*c);
	return normal;
}

void ao_config_add(struct ao_config *config, const char *key, const char *value)
{
	config->entries = ao_grow(config->entries, &config->alloc,
				  config->count + 1, sizeof(*config->entries));
	config->entries[config->count++] = (struct ao_config_entry){
		.key = normal_key(key),
		.value = ao_xstrdup(value),
	};
}

void ao_config_parse(struct ao_config *config, const char *text, size_t len)
{
	const char *end = text + len;

	/* Each entry: key, newline, value, NUL; a key alone means true. */
	while (text < end) {
		size_t entry_len = strnlen(text, (size_t)(end - text));
		char *entry = ao_xstrndup(text, entry_len);
		char *newline = strchr(entry, '\n');

		if (newline)
			*newline = '\0';
		ao_config_add(config, entry, newline ? newline + 1 : "true");
		free(entry);
		text += entry_len + 1;
	}
}

static bool is_search_key(const char *key)
{
	for (size_t i = 0; i < AO_ARRAY_SIZE(search_keys); i++)
		if (!strcmp(search_keys[i], key))
			return true;
	return false;
}

static void entry_release(struct ao_config_entry *entry)
{
	free(entry->key);
	free(entry->value);
}

void ao_config_keep_search(struct ao_config *config)
{
	size_t kept = 0;

	for (size_t i = 0; i < config->count; i++) {
		if (is_search_key(config->entries[i].key))
			config->entries[kept++] = config->entries[i];
		else
			entry_release(&config->entries[i]);
	}
	config->count = kept;
}

const char *ao_config_get(const struct ao_config *config, const char *key)
{
	char *normal = normal_key(key);
	const char *value = NULL;

	for (size_t i = config->count; i-- > 0 && !value;)
		if (!strcmp(config->entries[i].key, normal))
			value = config->entries[i].value;
	free(normal);
	return value;
}

void ao_config_release(struct ao_config *config)
{
	for (size_t i = 0; i < config->count; i++)
		entry_release(&config->entries[i]);
	free(config->entries);
	*config = (struct ao_config){ 0 };
}
