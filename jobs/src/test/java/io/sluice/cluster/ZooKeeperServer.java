package io.sluice.cluster;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.KeeperException;
import org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.ZKUtil;
import org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.ZooKeeper;
import org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.server.ServerCnxnFactory;

/** The ZooKeeper that Flink brings along, as a server in the process of the test. */
public final class ZooKeeperServer implements AutoCloseable {

  private static final int TICK_MS = 1_000;
  private static final int SESSION_MS = 30_000;

  private final ServerCnxnFactory server;
  private final ZooKeeper client;

  /**
   * Starts it and waits until it answers.
   *
   * @param folder where it keeps its data
   */
  public ZooKeeperServer(Path folder) {
    try {
      server = ServerCnxnFactory.createFactory(new InetSocketAddress("localhost", 0), -1);
      server.startup(
          new org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.server.ZooKeeperServer(
              folder.toFile(), folder.toFile(), TICK_MS));
      client = new ZooKeeper(address(), SESSION_MS, event -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    await("ZooKeeper at " + address())
        .atMost(Duration.ofMinutes(2))
        .until(() -> client.getState().isConnected());
  }

  private String address() {
    return "localhost:" + server.getLocalPort();
  }

  /** What a Flink cluster needs to keep its pointers here, and its files in a folder. */
  public String[] settings(Path storage) {
    return new String[] {
      "high-availability.type: zookeeper",
      "high-availability.zookeeper.quorum: " + address(),
      "high-availability.zookeeper.client.session-timeout: 4 s",
      "high-availability.zookeeper.client.connection-timeout: 4 s",
      "high-availability.storageDir: " + storage.toUri(),
    };
  }

  /** Every path below one, itself included, parents first. */
  public List<String> below(String path) {
    try {
      return ZKUtil.listSubTreeBFS(client, path);
    } catch (KeeperException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Removes a path and everything below it. */
  public void remove(String path) {
    try {
      ZKUtil.deleteRecursive(client, path);
    } catch (KeeperException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      server.shutdown();
    }
  }
}
