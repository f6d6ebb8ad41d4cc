/* N processes add one to a counter three times each: the counterpart of increments.c. Each transition is one access
 * to the counter with the local steps behind it, the start of a process, or waiting for the end of one. */
#ifndef N
#define N 4
#endif
#define ROUNDS 3

byte counter;
bool ended[N];

proctype process(byte me)
{
  byte round, seen;
  do
  :: d_step { round < ROUNDS -> seen = counter };
     d_step { counter = seen + 1; round++; seen = 0 }
  :: d_step { round >= ROUNDS -> ended[me] = true }; break
  od
}

init {
  byte i = 0;
  do
  :: i < N -> run process(i); i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < N -> ended[i]; i++
  :: else -> break
  od;
  assert(counter <= N * ROUNDS)
}
