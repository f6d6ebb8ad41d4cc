extern void abort(void);
void reach_error(void) { abort(); }
int x = 3;
int arr[4];
int main(void) {
  int i = 0;
  while (i < 5) {
    i++;
  }
  if (i != 5) reach_error();
  {
    int i = 7;
    x = i;
  }
  return 0;
}
