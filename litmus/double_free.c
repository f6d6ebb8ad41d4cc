/* Memory is freed twice. */
#include <stdlib.h>

int main(void)
{
    int *cell = malloc(sizeof *cell);
    free(cell);
    free(cell);
    return 0;
}
