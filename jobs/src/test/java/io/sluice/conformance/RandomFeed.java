package io.sluice.conformance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Random changes of thirty keys in a random order of arrival, cut into files: unique sequences,
 * runs of equal values, deletes, repeated events, and ties between different contents.
 */
final class RandomFeed {

  static final int KEYS = 30;
  private static final List<String> NAMES = List.of("ann", "ben", "cleo");
  private static final List<String> TOWNS = List.of("Oslo", "Lund", "Turku");

  /**
   * A change.
   *
   * @param name null for a delete
   */
  record Change(int key, String name, String town, long sequence) {

    boolean isDelete() {
      return name == null;
    }

    String json() {
      return "{\"id\":%d,\"name\":%s,\"town\":%s,\"op\":\"%s\",\"n\":%d}"
          .formatted(key, quoted(name), quoted(town), isDelete() ? "D" : "U", sequence);
    }

    private static String quoted(String text) {
      return text == null ? "null" : '"' + text + '"';
    }
  }

  /**
   * A change at its place.
   *
   * @param file name of the file it is in
   * @param line its line, from 0
   */
  record Arrival(Change change, String file, int line) {}

  private final Random random;

  RandomFeed(long seed) {
    this.random = new Random(seed);
  }

  /** Changes in no order. */
  List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    for (int key = 1; key <= KEYS; key++) {
      TreeMap<Long, Change> ofKey = new TreeMap<>();
      int count = 1 + random.nextInt(12);
      while (ofKey.size() < count) {
        long sequence = random.nextInt(40) - 5;
        ofKey.put(sequence, change(key, sequence));
      }
      for (Change change : ofKey.values()) {
        changes.add(change);
        if (random.nextInt(8) == 0) {
          changes.add(change);
        }
        if (random.nextInt(8) == 0) {
          changes.add(change(key, change.sequence()));
        }
      }
    }
    return changes;
  }

  private Change change(int key, long sequence) {
    boolean delete = random.nextInt(5) == 0;
    return new Change(
        key,
        delete ? null : NAMES.get(random.nextInt(NAMES.size())),
        delete ? null : TOWNS.get(random.nextInt(TOWNS.size())),
        sequence);
  }

  /**
   * Changes shuffled and cut into four to six files. Different contents of one sequence are in one
   * file: only there a tie does not depend on batching (semantics 0.2). The files' names have
   * another order than their arrival.
   */
  List<List<Arrival>> arrange(List<Change> changes) {
    List<Change> shuffled = new ArrayList<>(changes);
    Collections.shuffle(shuffled, random);
    int files = 4 + random.nextInt(3);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      names.add("part-" + i + ".json");
    }
    Collections.shuffle(names, random);
    List<List<Arrival>> updates = new ArrayList<>();
    names.forEach(name -> updates.add(new ArrayList<>()));
    Set<Place> tied = tied(changes);
    Map<Place, Integer> chosen = new HashMap<>();
    for (Change change : shuffled) {
      Place place = new Place(change.key(), change.sequence());
      int any = random.nextInt(files);
      int update = tied.contains(place) ? chosen.computeIfAbsent(place, first -> any) : any;
      List<Arrival> file = updates.get(update);
      file.add(new Arrival(change, names.get(update), file.size()));
    }
    return updates;
  }

  private record Place(int key, long sequence) {}

  private static Set<Place> tied(List<Change> changes) {
    Map<Place, Change> seen = new HashMap<>();
    Set<Place> tied = new HashSet<>();
    for (Change change : changes) {
      Place place = new Place(change.key(), change.sequence());
      Change first = seen.putIfAbsent(place, change);
      if (first != null && !first.equals(change)) {
        tied.add(place);
      }
    }
    return tied;
  }
}
