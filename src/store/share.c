/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <strings.h>
#include <sys/stat.h>

#include "store/share.h"

enum { GROUP = 0660, EVERYBODY = 0664 };

/* What core.sharedRepository says; see git-config(1). */
struct sharing {
	mode_t bits; /* 0: nothing is shared */
	bool is_exact;
};

static struct sharing sharing_of(const char *value)
{
	static const struct {
		const char *word;
		mode_t bits;
	} words[] = {
		{ "umask", 0 },
		{ "false", 0 },
		{ "no", 0 },
		{ "off", 0 },
		{ "0", 0 },
		{ "group", GROUP },
		{ "true", GROUP },
		{ "yes", GROUP },
		{ "on", GROUP },
		{ "", GROUP },
		{ "1", GROUP },
		{ "all", EVERYBODY },
		{ "world", EVERYBODY },
		{ "everybody", EVERYBODY },
		{ "2", EVERYBODY },
	};
	struct sharing sharing = { 0 };
	char *end;
	long octal;

	for (size_t i = 0; value && i < AO_ARRAY_SIZE(words); i++) {
		sharing.bits = words[i].bits;
		if (!strcasecmp(value, words[i].word))
			return sharing;
	}
	sharing.bits = 0;
	octal = value ? strtol(value, &end, 8) : 0;
	/* As git: who owns a file must be able to read and write it. */
	if (octal > 0 && octal <= 0777 && !*end && (octal & 0600) == 0600)
		sharing = (struct sharing){ (mode_t)octal & 0666, true };
	return sharing;
}

void ao_share(const struct ao_config *config, const char *path)
{
	struct sharing sharing = sharing_of(
		ao_config_get(config, "core.sharedrepository"));
	mode_t bits = sharing.bits, mode;
	struct stat st;

	if (!bits || lstat(path, &st) || S_ISLNK(st.st_mode))
		return;
	mode = st.st_mode & 07777;
	if (!(mode & S_IWUSR))
		bits &= ~(mode_t)0222;
	if (mode & S_IXUSR)
		bits |= (bits & 0444) >> 2;
	mode = sharing.is_exact ? (mode & ~(mode_t)0777) | bits : mode | bits;
	/* What is made in a folder belongs to its group. */
	if (S_ISDIR(st.st_mode))
		mode |= S_ISGID;
	if (mode != (st.st_mode & 07777) && chmod(path, mode))
		return; /* somebody else's */
}

void ao_share_lock(const struct ao_config *config, const char *path)
{
	char *turn = ao_xstrf("%s.turn", path);

	ao_share(config, path);
	ao_share(config, turn);
	free(turn);
}
