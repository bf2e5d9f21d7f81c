/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/counts.h"

static const struct ao_field table[] = {
	AO_FIELD(struct ao_counts, instructions),
	AO_FIELD(struct ao_counts, reads),
	AO_FIELD(struct ao_counts, writes),
	AO_FIELD(struct ao_counts, first_misses),
	AO_FIELD(struct ao_counts, last_misses),
	AO_FIELD(struct ao_counts, missing),
};
const struct ao_fields ao_counts_fields = AO_FIELDS(struct ao_counts, table);

void ao_counts_release(struct ao_counts *counts)
{
	ao_fields_release(counts, &ao_counts_fields);
	*counts = (struct ao_counts){ 0 };
}

bool ao_counts_are_known(const struct ao_counts *counts)
{
	return counts->instructions > 0 || counts->missing;
}

void ao_counts_text(struct ao_buf *out, const struct ao_counts *counts)
{
	if (counts->instructions > 0)
		ao_buf_addf(out,
			    "%.0f instructions, %.0f reads, %.0f writes; %.0f "
			    "misses of a first cache of 32 KiB, %.0f of a last "
			    "of 8 MiB\n",
			    counts->instructions, counts->reads, counts->writes,
			    counts->first_misses, counts->last_misses);
	if (counts->missing)
		ao_buf_addf(out, "%s\n", counts->missing);
}
