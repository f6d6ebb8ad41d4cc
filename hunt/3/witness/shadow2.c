extern void abort(void);
void reach_error(void) { abort(); }
static void nop(void){ abort(); }
int main(void) {
  int i = 0; void (*__VERIFIER_atomic_begin)(void) = nop;
  while (i < 5) {
    i++;
  }
  if (i != 5) reach_error();
  return 0;
}
