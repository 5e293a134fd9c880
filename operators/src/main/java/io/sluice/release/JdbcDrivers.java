package io.sluice.release;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** JDBC's drivers, of a catalog in a database, which the JDK keeps in a list. */
record JdbcDrivers(JobClasses classes) implements ClassRelease.Remnant {

  @Override
  public void end() throws SQLException {
    List<Driver> drivers =
        DriverManager.drivers().filter(driver -> classes.include(driver.getClass())).toList();
    for (Driver driver : drivers) {
      DriverManager.deregisterDriver(driver);
    }
  }
}
