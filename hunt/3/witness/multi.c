extern void abort(void);
void reach_error(void) { abort(); }
int b = 0;
void f(void) {
  b = b + 0;
}
int main(void) {
  int a = 1,
      b = 2;
  f();
  return 0;
}
