/** The command line: arguments in, text or JSON out, exit codes 0, 1 and 2. */
package io.sluice.cli;
