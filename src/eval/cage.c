/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "eval/cage.h"
#include "eval/deny.h"
#include "eval/filter.h"
#include "eval/landlock.h"
#include "eval/mounts.h"

/* More processes than any compiler starts. */
enum { MAX_PROCESSES = 512 };

/* All that the new process needs to shut itself up. */
struct cage {
	enum ao_isolation isolation;
	struct ao_user_map map;
	struct ao_mounts mounts; /* with namespaces */
	const struct ao_strs *parts;
	const char *folder;    /* that is writable, or NULL */
	bool counts_processes; /* those in here alone */
	bool stands;	       /* set in there */
};

/* Which way is taken from now on, and why none before it. */
static struct {
	enum ao_isolation isolation;
	char *why;
	bool requires_namespaces;
} chosen = { .isolation = AO_ISOLATION_COUNT };

/*
 * Linux counts a user's processes by user namespace from 5.14 on; before that,
 * all that this user has elsewhere would be under the limit, too.
 */
static bool counts_by_namespace(void)
{
	struct utsname name;
	unsigned long major, minor = 0;
	char *rest;

	if (uname(&name))
		return false;
	major = strtoul(name.release, &rest, 10);
	if (*rest == '.')
		minor = strtoul(rest + 1, NULL, 10);
	return major > 5 || (major == 5 && minor >= 14);
}

/* Here begins what the new process does, in our memory. */

static bool restrict_files(const struct cage *cage)
{
	int rules = ao_landlock_new();
	bool is_good = rules >= 0;

	for (size_t i = 0; i < ao_mounts_system_count && is_good; i++)
		is_good = ao_landlock_allow(rules, ao_mounts_system[i], false);
	for (size_t i = 0; i < cage->parts->count && is_good; i++)
		is_good = ao_landlock_allow(rules, cage->parts->v[i], false);
	for (size_t i = 0; i < ao_mounts_device_count && is_good; i++)
		is_good = ao_landlock_allow(rules, ao_mounts_devices[i], true);
	is_good = is_good && ao_landlock_allow(rules, "/proc/cpuinfo", false);
	if (is_good && cage->folder)
		is_good = ao_landlock_allow(rules, cage->folder, true);
	return is_good && ao_landlock_enforce(rules);
}

static void limit_processes(const struct cage *cage)
{
	const struct rlimit limit = { MAX_PROCESSES, MAX_PROCESSES };

	if (cage->counts_processes)
		setrlimit(RLIMIT_NPROC, &limit);
}

static const char *enter(void *data)
{
	struct cage *cage = data;
	bool has_namespaces = ao_isolation_has_namespaces(cage->isolation);
	const char *failed = NULL;

	if (cage->isolation == AO_ISOLATION_USER &&
	    !ao_user_map_write(&cage->map))
		return "become root of a user namespace";
	if (has_namespaces)
		failed = ao_mounts_make(&cage->mounts);
	if (!failed)
		failed = ao_isolation_drop_privileges(cage->isolation ==
						      AO_ISOLATION_ROOT);
	if (failed)
		return failed;
	if (cage->isolation == AO_ISOLATION_LANDLOCK && !restrict_files(cage))
		return "restrict files by Landlock";
	limit_processes(cage);
	ao_deny_install(!has_namespaces);
	cage->stands = true;
	return NULL;
}

/* Here it ends. */

/* Whoever the compiler runs as has to write there. */
static struct ao_error *give_folder(const struct cage *cage)
{
	uid_t owner = cage->isolation == AO_ISOLATION_ROOT ? AO_NOBODY : 0;

	if (cage->folder && !geteuid() && chown(cage->folder, owner, owner))
		return ao_error_errno("cannot give '%s' to the compiler",
				      cage->folder);
	return NULL;
}

static struct ao_error *run_in(struct ao_process_end *out, bool *stands_out,
			       enum ao_isolation isolation,
			       const struct ao_process_spec *spec,
			       const struct ao_strs *parts)
{
	bool has_folder = spec->folder && strcmp(spec->folder, "/") != 0;
	struct cage cage = {
		.isolation = isolation,
		.parts = parts,
		.folder = has_folder ? spec->folder : NULL,
		.counts_processes = isolation == AO_ISOLATION_ROOT ||
				    (isolation == AO_ISOLATION_USER &&
				     counts_by_namespace()),
	};
	struct ao_process_spec caged = *spec;
	struct ao_error *err;

	ao_user_map_init(&cage.map);
	if (ao_isolation_has_namespaces(isolation))
		ao_mounts_plan(&cage.mounts, parts, cage.folder);
	caged.namespaces = ao_isolation_clone_flags(isolation);
	caged.enter = enter;
	caged.enter_data = &cage;
	err = give_folder(&cage);
	if (!err)
		err = ao_process_run(out, &caged);
	ao_mounts_release(&cage.mounts);
	*stands_out = cage.stands;
	return err;
}

struct ao_error *ao_cage_run_in(struct ao_process_end *out,
				enum ao_isolation isolation,
				const struct ao_process_spec *spec,
				const struct ao_strs *parts)
{
	bool stands = false;

	return run_in(out, &stands, isolation, spec, parts);
}

void ao_cage_settle_for(enum ao_isolation isolation, const char *why)
{
	char *copy = why ? ao_xstrdup(why) : NULL;

	free(chosen.why);
	chosen.isolation = isolation;
	chosen.why = copy;
}

static struct ao_error *try_all(struct ao_process_end *out,
				const struct ao_process_spec *spec,
				const struct ao_strs *parts)
{
	char *why = NULL;

	for (int i = AO_ISOLATION_ROOT; i < AO_ISOLATION_COUNT; i++) {
		enum ao_isolation isolation = (enum ao_isolation)i;
		bool stands = false;
		struct ao_error *err = run_in(out, &stands, isolation, spec,
					      parts);

		if (stands)
			ao_cage_settle_for(isolation, why);
		if (stands || isolation == AO_ISOLATION_NONE) {
			free(why);
			return err;
		}
		ao_isolation_note_failure(&why, isolation, err);
		ao_error_free(err);
	}
	return NULL;
}

struct ao_error *ao_cage_run(struct ao_process_end *out,
			     const struct ao_process_spec *spec,
			     const struct ao_strs *parts)
{
	if (chosen.isolation != AO_ISOLATION_COUNT)
		return ao_cage_run_in(out, chosen.isolation, spec, parts);
	/* That there is no such folder is no way's fault. */
	if (spec->folder && access(spec->folder, X_OK))
		return ao_error_errno("cannot enter the folder '%s'",
				      spec->folder);
	return try_all(out, spec, parts);
}

void ao_cage_require_namespaces(void)
{
	chosen.requires_namespaces = true;
}

bool ao_cage_requires_namespaces(void)
{
	return chosen.requires_namespaces;
}

enum ao_isolation ao_cage_isolation(void)
{
	return chosen.isolation;
}

const char *ao_cage_level(void)
{
	if (chosen.isolation == AO_ISOLATION_COUNT)
		return "none";
	return ao_isolation_name(chosen.isolation, ao_filter_is_available());
}

const char *ao_cage_why(void)
{
	return chosen.why;
}
