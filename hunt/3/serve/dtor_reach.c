__attribute__((destructor)) void reach_error(void){} int main(void){return 0;}
