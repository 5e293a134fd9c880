/**
 * The folder {@code k8s}: overlays are built as kustomize does, and everything in them that this
 * side of a Kubernetes cluster can know is held against the models, Flink and Sluice itself.
 */
package io.sluice.k8s;
