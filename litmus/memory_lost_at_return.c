/* Memory is lost that an inner variable knew; and main's own variables are gone when it returns. */
#include <stdlib.h>

static int *known;

int main(void)
{
    {
        int *inner = malloc(sizeof *inner);
        *inner = 0;
        known = inner;
    }
    {
        int *inner = malloc(sizeof *inner);
        *inner = 0;
        known = inner;
    }
    return 0;
}
