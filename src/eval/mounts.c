/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "eval/mounts.h"
#include "eval/root.h"

enum step_kind {
	STEP_FOLDER, /* make `to`, if it is not there */
	STEP_FILE,   /* the same, an empty file to mount another over */
	STEP_LINK,   /* `to` is a link to `from` */
	STEP_BIND,   /* `from` is to be seen at `to` */
	STEP_PROC,   /* an own /proc at `to`, where that may be had */
};

struct ao_mount_step {
	enum step_kind kind;
	bool is_needed; /* else its failure costs nothing but what it adds */
	char *from;
	char *to;
};

const char *const ao_mounts_system[] = {
	"/usr",
	"/bin",
	"/sbin",
	"/lib",
	"/lib32",
	"/lib64",
	"/libx32",
	"/nix/store",
	"/gnu/store",
	/* Which program cc is, and where libraries are. */
	"/etc/alternatives",
	"/etc/ld.so.cache",
	"/etc/ld.so.conf",
	"/etc/ld.so.conf.d",
	/* Compilers ask which system this is. */
	"/etc/clang",
	"/etc/debian_version",
	"/etc/lsb-release",
	"/etc/os-release",
	"/etc/redhat-release",
	"/etc/env.d/gcc",
};
const size_t ao_mounts_system_count = AO_ARRAY_SIZE(ao_mounts_system);

const char *const ao_mounts_devices[] = {
	"/dev/null",
	"/dev/zero",
	"/dev/urandom",
};
const size_t ao_mounts_device_count = AO_ARRAY_SIZE(ao_mounts_devices);

/* mount_setattr(2) of Linux 5.12, which C libraries may not know. */
enum {
	MOUNT_SETATTR = 442,
	ATTR_RDONLY = 1,
	ATTR_NOSUID = 2,
	RECURSIVE = 0x8000
};
struct mount_attributes {
	uint64_t set;
	uint64_t clear;
	uint64_t propagation;
	uint64_t user_namespace;
};

static void add_step(struct ao_mounts *mounts, enum step_kind kind,
		     bool is_needed, const char *from, const char *to)
{
	mounts->steps = ao_grow(mounts->steps, &mounts->alloc,
				mounts->count + 1, sizeof(*mounts->steps));
	mounts->steps[mounts->count++] = (struct ao_mount_step){
		.kind = kind,
		.is_needed = is_needed,
		.from = from ? ao_xstrdup(from) : NULL,
		.to = ao_xstrf("%s%s", mounts->base, to),
	};
}

static bool is_beneath(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && (!path[len] || path[len] == '/');
}

/* Whether a path is there already, with a folder above it. */
static bool is_covered(const struct ao_mounts *mounts, const char *path)
{
	size_t base_len = strlen(mounts->base);

	for (size_t i = 0; i < mounts->count; i++) {
		const struct ao_mount_step *step = &mounts->steps[i];

		if ((step->kind == STEP_BIND || step->kind == STEP_LINK) &&
		    is_beneath(path, step->to + base_len))
			return true;
	}
	return false;
}

/* The folders that `path` lies in. */
static void add_parents(struct ao_mounts *mounts, const char *path)
{
	char *parent = ao_xstrdup(path);

	for (char *slash = strchr(parent + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		add_step(mounts, STEP_FOLDER, true, NULL, parent);
		*slash = '/';
	}
	free(parent);
}

/* Show a file or a folder, with what is in it, where it is. */
static void show(struct ao_mounts *mounts, const char *path, bool is_needed)
{
	char target[PATH_MAX];
	ssize_t len = readlink(path, target, sizeof(target) - 1);
	struct stat st;

	if (is_covered(mounts, path) || lstat(path, &st))
		return;
	add_parents(mounts, path);
	if (len > 0) {
		target[len] = '\0';
		add_step(mounts, STEP_LINK, is_needed, target, path);
		return;
	}
	add_step(mounts, S_ISDIR(st.st_mode) ? STEP_FOLDER : STEP_FILE,
		 is_needed, NULL, path);
	add_step(mounts, STEP_BIND, is_needed, path, path);
}

/*
 * Where to put the new root while it is made: over a folder that every machine
 * has, and that hides nothing that is to be shown.
 */
static const char *choose_base(const struct ao_strs *parts)
{
	static const char *const folders[] = { "/mnt", "/run", "/tmp", "/sys" };
	size_t last = AO_ARRAY_SIZE(folders) - 1;

	for (size_t i = 0; i < last; i++) {
		bool hides = access(folders[i], F_OK) != 0;

		for (size_t j = 0; j < parts->count && !hides; j++)
			hides = is_beneath(parts->v[j], folders[i]);
		if (!hides)
			return folders[i];
	}
	return folders[last];
}

static void show_proc(struct ao_mounts *mounts)
{
	add_step(mounts, STEP_FOLDER, false, NULL, "/proc");
	add_step(mounts, STEP_PROC, false, NULL, "/proc");
	/*
	 * Where it may not be mounted, at least what compilers for ARM find out
	 * about the processor by.
	 */
	add_step(mounts, STEP_FILE, false, NULL, "/proc/cpuinfo");
	add_step(mounts, STEP_BIND, false, "/proc/cpuinfo", "/proc/cpuinfo");
}

void ao_mounts_plan(struct ao_mounts *out, const struct ao_strs *parts,
		    const char *folder)
{
	struct ao_mounts mounts = { .base = choose_base(parts) };

	for (size_t i = 0; i < ao_mounts_system_count; i++)
		show(&mounts, ao_mounts_system[i], i == 0);
	for (size_t i = 0; i < parts->count; i++)
		show(&mounts, parts->v[i], true);
	for (size_t i = 0; i < ao_mounts_device_count; i++)
		show(&mounts, ao_mounts_devices[i], false);
	show_proc(&mounts);
	if (folder) {
		add_parents(&mounts, folder);
		add_step(&mounts, STEP_FOLDER, true, NULL, folder);
		mounts.folder = ao_xstrdup(folder);
		mounts.folder_there = ao_xstrf("%s%s", mounts.base, folder);
	}
	*out = mounts;
}

void ao_mounts_release(struct ao_mounts *mounts)
{
	for (size_t i = 0; i < mounts->count; i++) {
		free(mounts->steps[i].from);
		free(mounts->steps[i].to);
	}
	free(mounts->steps);
	free(mounts->folder);
	free(mounts->folder_there);
	*mounts = (struct ao_mounts){ 0 };
}

/* From here on in the new process. */

static bool make_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0444);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static const char *do_step(const struct ao_mount_step *step)
{
	switch (step->kind) {
	case STEP_FOLDER:
		return mkdir(step->to, 0755) && errno != EEXIST
			       ? "make a folder"
			       : NULL;
	case STEP_FILE:
		return make_file(step->to) ? NULL : "make a file";
	case STEP_LINK:
		return symlink(step->from, step->to) && errno != EEXIST
			       ? "make a link"
			       : NULL;
	case STEP_BIND:
		return mount(step->from, step->to, NULL, MS_BIND | MS_REC, NULL)
			       ? "show the compiler its folders"
			       : NULL;
	case STEP_PROC:
		return mount("proc", step->to, "proc",
			     MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL)
			       ? "mount /proc"
			       : NULL;
	}
	return NULL;
}

/* What a mount forbids already may not be forgotten when it is changed. */
static unsigned long kept_flags(const char *path)
{
	struct statvfs stat;
	unsigned long flags = 0;

	if (statvfs(path, &stat))
		return 0;
	flags |= stat.f_flag & ST_NODEV ? MS_NODEV : 0;
	flags |= stat.f_flag & ST_NOEXEC ? MS_NOEXEC : 0;
	return flags;
}

static bool set_flags(const char *path, unsigned long flags)
{
	return !mount(NULL, path, NULL,
		      MS_REMOUNT | MS_BIND | MS_NOSUID | flags |
			      kept_flags(path),
		      NULL);
}

/* All that has been mounted so far is to be read only. */
static const char *forbid_writing(const struct ao_mounts *mounts)
{
	const struct mount_attributes attributes = { .set = ATTR_RDONLY |
							    ATTR_NOSUID };

	if (!syscall(MOUNT_SETATTR, AT_FDCWD, mounts->base, RECURSIVE,
		     &attributes, sizeof(attributes)))
		return NULL;
	/* Before Linux 5.12, mount by mount. */
	for (size_t i = 0; i < mounts->count; i++) {
		const struct ao_mount_step *step = &mounts->steps[i];

		if (step->kind == STEP_BIND &&
		    !set_flags(step->to, MS_RDONLY) && step->is_needed)
			return "make folders read-only";
	}
	return NULL;
}

/* The folder is the current one: what it lies in may be hidden by now. */
static const char *show_folder(const char *there)
{
	if (mount(".", there, NULL, MS_BIND | MS_REC, NULL) ||
	    !set_flags(there, MS_NODEV))
		return "show the compiler its source";
	return NULL;
}

const char *ao_mounts_make(const struct ao_mounts *mounts)
{
	const char *failed;

	umask(022);
	if (chdir(mounts->folder ? mounts->folder : "/"))
		return "enter the folder of the source";
	failed = ao_root_mount(mounts->base);
	for (size_t i = 0; i < mounts->count && !failed; i++) {
		failed = do_step(&mounts->steps[i]);
		if (!mounts->steps[i].is_needed)
			failed = NULL;
	}
	if (!failed)
		failed = forbid_writing(mounts);
	if (!failed && mounts->folder)
		failed = show_folder(mounts->folder_there);
	return failed ? failed : ao_root_change(mounts->base);
}
