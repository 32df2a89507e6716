/* What a compiled language makes of the same fields: a queue of buckets over a padded grid.
 *
 * Built by bench/fields.py, which compares its results before it compares times. A square v costs
 * step[v] to enter (0: closed) and toll more where zone[v] is set and the square before is not in
 * the zone. Distances above limit are left out; a negative limit means none.
 */
#include <stdint.h>
#include <string.h>

#define BUCKETS 64
#define FAR 0x3fffffff

void field(int32_t stride, int32_t squares, const uint8_t *step, const uint8_t *zone, int32_t toll,
           int32_t source, int32_t limit, int32_t *distance, int32_t *next, int32_t *square) {
    const int32_t ways[8] = {-stride, stride, -1, 1, -stride - 1, 1 - stride, stride - 1, stride + 1};
    int32_t first[BUCKETS], used = 0, waiting = 1;
    for (int32_t i = 0; i < squares; i++) distance[i] = FAR;
    memset(first, -1, sizeof first);
    distance[source] = 0;
    square[0] = source;
    next[0] = -1;
    first[0] = used++;
    for (int32_t reached = 0; waiting && (limit < 0 || reached <= limit); reached++) {
        int32_t *bucket = &first[reached % BUCKETS];
        while (*bucket >= 0) {
            int32_t entry = *bucket, here = square[entry];
            *bucket = next[entry];
            waiting--;
            if (distance[here] != reached) continue;
            for (int k = 0; k < 8; k++) {
                int32_t there = here + ways[k], cost = step[there];
                if (!cost) continue;
                cost += reached + (zone[there] && !zone[here] ? toll : 0);
                if (cost >= distance[there]) continue;
                distance[there] = cost;
                square[used] = there;
                next[used] = first[cost % BUCKETS];
                first[cost % BUCKETS] = used++;
                waiting++;
            }
        }
    }
}
