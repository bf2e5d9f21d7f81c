/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/move.h"
#include "util/strs.h"

/* "b,a" as "a,b": equal sets of features are equal strings. */
static char *sort_features(const char *features)
{
	struct ao_strs words = { 0 };
	struct ao_buf out = AO_BUF_INIT(512);
	char *copy = ao_xstrdup(features);

	for (char *c = copy; *c; c++) {
		if (*c == ',')
			*c = ' ';
	}
	ao_strs_split(&words, copy);
	ao_strs_sort_unique(&words);
	for (size_t i = 0; i < words.count; i++)
		ao_buf_addf(&out, "%s%s", i ? "," : "", words.v[i]);
	ao_strs_release(&words);
	free(copy);
	return ao_buf_take(&out);
}

void ao_offer(struct ao_offers *offers, const char *params,
	      const char *features, double prior, const char *title,
	      const char *fmt, ...)
{
	va_list ap;

	if (offers->count == AO_MAX_OFFERS)
		return;
	va_start(ap, fmt);
	offers->v = ao_grow(offers->v, &offers->alloc, offers->count + 1,
			    sizeof(*offers->v));
	offers->v[offers->count++] = (struct ao_proposal){
		.move = ao_xstrdup(offers->move->name),
		.params = ao_xstrdup(params),
		.features = sort_features(features),
		.title = ao_xstrdup(title),
		.text = ao_xvstrf(fmt, ap),
		.prior = prior,
	};
	va_end(ap);
}

const struct ao_for *ao_move_loop(const struct ao_unit *unit,
				  const char *params)
{
	int site;

	if (!ao_params_int(params, "site", &site, 0, AO_MAX_LOOPS - 1) ||
	    (size_t)site >= unit->loop_count)
		return NULL;
	return &unit->loops[site];
}
