extern void abort(void);
void reach_error(void) { abort(); }
static void nop(void){}
int main(void) {
  int i = 0; void (*__VERIFIER_error)(void) = nop;
  while (i < 5) {
    i++;
  }
  if (i != 5) reach_error();
  return 0;
}
