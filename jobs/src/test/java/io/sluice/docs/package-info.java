/** The documentation against the program: what it names has to exist, and the reverse. */
package io.sluice.docs;
