extern void abort(void);
void reach_error(void) { abort(); }
int f(int n){
  int r = 0;
  if (n > 0) {
    r = f(n-1);
    r = r + 1;
  }
  return r;
}
int main(void) {
  int u;
  if (f(3) != 3) reach_error();
  return 0;
}
