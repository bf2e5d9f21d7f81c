# SPDX-License-Identifier: MIT
# lib-run.sh - runs that no search took; sourced after lib-cli.sh.

# made_run: read a script for helper/make-run.c, write the run, and keep what it
# prints in the file `made`.
made_run() {
	"$BUILD/helper/make-run" >made
}

# made WHAT: the id of the `run` that was made, or the commit of an attempt.
made() {
	sed -n "s/^$1 //p" made
}

# A repository with the tiny task and a run of five attempts, of which 1.1 won.
run_repo() {
	tiny_repo &&
	made_run <<-\RUN
	run tiny
	baseline peak=3.1
	attempt 0.1 base gain=1.42 low=1.38 high=1.46 peak=4.4 move=simd : Use vectors
	attempt 0.2 base verdict=COMPILE_ERROR detail=kernel.c:3:,no,semicolon move=tile,mr=4 : Tile
	attempt 0.3 base gain=0.7 low=0.65 high=0.75 peak=2.2 move=tile,mr=4 : Tile again
	insight 0.1 base : Vectors beat scalars
	flush
	attempt 1.1 0.1 gain=2 low=1.9 high=2.1 peak=8.8 move=stream : Stream past the caches
	attempt 1.2 0.1 verdict=DUPLICATE kernel=1.1 move=stream : Stream once more
	insight 1.1 0.1 : Stream what is not read again
	best 1.1
	RUN
}
