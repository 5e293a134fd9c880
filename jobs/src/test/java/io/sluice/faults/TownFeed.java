package io.sluice.faults;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A random change feed about who lives in which town, and what tables must make of it: a second,
 * naive implementation. Sequences are unique per person, some changes come late, some delete who
 * does not exist, and as towns are few, some say again what was known.
 */
final class TownFeed {

  private static final String[] TOWNS = {"Ulm", "Bonn", "Köln"};

  /** One event; a delete has no town. */
  record Change(int id, String town, long n) {

    boolean delete() {
      return town == null;
    }

    String json() {
      return delete()
          ? "{\"id\":%d,\"op\":\"D\",\"n\":%d}".formatted(id, n)
          : "{\"id\":%d,\"town\":\"%s\",\"op\":\"U\",\"n\":%d}".formatted(id, town, n);
    }
  }

  private final Random random;
  private final int people;
  private final Set<Long> used = new HashSet<>();
  private final Map<Integer, TreeMap<Long, Change>> logs = new TreeMap<>();
  private int count;
  private long now = 1_000;

  TownFeed(long seed, int people) {
    this.random = new Random(seed);
    this.people = people;
  }

  /** The next changes in the order of their arrival. */
  List<Change> next(int changes) {
    List<Change> next = new ArrayList<>();
    for (int i = 0; i < changes; i++) {
      long n = random.nextInt(100) < 30 ? now - 1 - random.nextInt(300) : now;
      while (!used.add(n)) {
        n++;
      }
      now = Math.max(now, n) + 1 + random.nextInt(5);
      int id = random.nextInt(people);
      String town = random.nextInt(100) < 20 ? null : TOWNS[random.nextInt(TOWNS.length)];
      Change change = new Change(id, town, n);
      logs.computeIfAbsent(id, key -> new TreeMap<>()).put(n, change);
      next.add(change);
    }
    count += changes;
    return next;
  }

  /** The same as lines of a JSON file. */
  String[] lines(int changes) {
    return next(changes).stream().map(Change::json).toArray(String[]::new);
  }

  /** How many changes there were. */
  int count() {
    return count;
  }

  /** All changes by person and sequence. */
  Collection<TreeMap<Long, Change>> logs() {
    return logs.values();
  }

  /** SCD type 1: {@code id town}. */
  List<String> current() {
    return logs.values().stream()
        .map(log -> log.lastEntry().getValue())
        .filter(last -> !last.delete())
        .map(last -> last.id() + " " + last.town())
        .sorted()
        .toList();
  }

  /** SCD type 2: {@code id town start end}. */
  List<String> history() {
    List<String> rows = new ArrayList<>();
    for (TreeMap<Long, Change> log : logs.values()) {
      Change open = null;
      for (Change change : log.values()) {
        if (open != null && !open.town().equals(change.town())) {
          rows.add(row(open, Long.toString(change.n())));
          open = null;
        }
        if (open == null && !change.delete()) {
          open = change;
        }
      }
      if (open != null) {
        rows.add(row(open, "open"));
      }
    }
    rows.sort(null);
    return rows;
  }

  private static String row(Change first, String end) {
    return first.id() + " " + first.town() + " " + first.n() + " " + end;
  }

  /** An append target: {@code id town n} of every change. */
  List<String> everything() {
    return logs.values().stream()
        .flatMap(log -> log.values().stream())
        .map(change -> change.id() + " " + change.town() + " " + change.n())
        .sorted()
        .toList();
  }
}
