package io.sluice.files;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/** A schema registry that speaks Confluent's REST API. */
final class SchemaRegistry {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  private final URI address;
  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(PATIENCE)
          .followRedirects(HttpClient.Redirect.NORMAL)
          .build();

  /**
   * @param url {@code http://host:8081}, with {@code user:password@} before the host if it asks for
   *     them
   */
  SchemaRegistry(String url) {
    this.address = URI.create(url.endsWith("/") ? url : url + "/");
  }

  /**
   * The text of the schema with an id; empty if there is none.
   *
   * @throws SluiceException KAFKA_UNAVAILABLE if the registry does not answer or refuses
   */
  Optional<String> schema(int id) {
    try {
      HttpResponse<String> answer = client.send(request(id), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() == NOT_FOUND) {
        return Optional.empty();
      }
      if (answer.statusCode() != OK) {
        throw unavailable("it answers with status " + answer.statusCode(), null);
      }
      return Optional.of(JSON.readTree(answer.body()).required("schema").asText());
    } catch (IOException | IllegalArgumentException e) {
      throw unavailable(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("interrupted", e);
    }
  }

  private HttpRequest request(int id) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(withoutUser().resolve("schemas/ids/" + id)).timeout(PATIENCE).GET();
    String user = address.getUserInfo();
    if (user != null) {
      byte[] bytes = user.getBytes(StandardCharsets.UTF_8);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes));
    }
    return request.build();
  }

  private URI withoutUser() {
    int port = address.getPort();
    return URI.create(
        address.getScheme()
            + "://"
            + address.getHost()
            + (port < 0 ? "" : ":" + port)
            + address.getPath());
  }

  private SluiceException unavailable(String why, Exception cause) {
    return new SluiceException(
        ErrorCode.KAFKA_UNAVAILABLE,
        "the schema registry at " + withoutUser() + " gives no schema: " + why,
        "Check its address (schemaRegistry => ..), user and password",
        cause);
  }
}
