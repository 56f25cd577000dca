# Runs a program in a terminal of its own: python3 terminal.py COLUMNS PROGRAM ARGS...
# What it prints goes to stdout, what comes on stdin is typed, its exit code is ours.
import fcntl
import os
import pty
import select
import struct
import sys
import termios

columns, program = int(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    size = struct.pack("HHHH", 40, columns, 0, 0)
    fcntl.ioctl(0, termios.TIOCSWINSZ, size)
    os.execvp(program[0], program)

sources = [terminal, 0]
while terminal in sources:
    ready, _, _ = select.select(sources, [], [])
    for source in ready:
        try:
            data = os.read(source, 65536)
        except OSError:  # Linux: the program has closed its side.
            data = b""
        if not data:
            sources.remove(source)
        else:
            os.write(1 if source == terminal else terminal, data)

sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
