/* Peterson's algorithm for N processes (the filter lock), for ever: the counterpart of peterson.c.
 * Each transition is one access to shared memory with the local steps around it, as there. (A jump
 * must not lead straight into a d_step, hence the selections with one choice.) */
#ifndef N
#define N 4
#endif

#define FIRST_OTHER (me == 0 -> 1 : 0)
#define NEXT_OTHER  (k + 1 == me -> k + 2 : k + 1)

byte level[N];
byte last[N];
byte inside;

proctype process(byte me)
{
  byte l, k;
idle:
  if
  :: d_step { true -> l = 1; level[me] = 1 }
  fi;
raised:
  if
  :: d_step { true -> last[l] = me; k = FIRST_OTHER }
  fi;
look:
  if
  :: d_step { k < N && level[k] < l -> k = NEXT_OTHER }; goto look
  :: k < N && level[k] >= l -> goto who
  :: d_step { k >= N && l < N - 1 -> l++; level[me] = l }; goto raised
  :: d_step { k >= N && l == N - 1 -> inside = me }; goto critical
  fi;
who:
  if
  :: d_step { last[l] != me -> k = NEXT_OTHER }; goto look
  :: last[l] == me -> goto look
  fi;
critical:
  assert(inside == me);
  level[me] = 0;
  goto idle
}

init {
  byte i = 0;
  do
  :: i < N -> run process(i); i++
  :: else -> break
  od
}
