"""Falls asleep when it should answer."""

import time

from manners import play

play(lambda: time.sleep(1000))
