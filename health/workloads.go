package health

import (
	"encoding/json"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

var (
	pathReplicas          = fieldpath.Fields("spec", "replicas")
	pathStatusReplicas    = fieldpath.Fields("status", "replicas")
	pathUpdatedReplicas   = fieldpath.Fields("status", "updatedReplicas")
	pathReadyReplicas     = fieldpath.Fields("status", "readyReplicas")
	pathAvailableReplicas = fieldpath.Fields("status", "availableReplicas")

	pathStrategy  = fieldpath.Fields("spec", "updateStrategy", "type")
	pathPartition = fieldpath.Fields("spec", "updateStrategy", "rollingUpdate", "partition")

	pathDesiredPods   = fieldpath.Fields("status", "desiredNumberScheduled")
	pathUpdatedPods   = fieldpath.Fields("status", "updatedNumberScheduled")
	pathAvailablePods = fieldpath.Fields("status", "numberAvailable")

	pathContainers      = fieldpath.Fields("status", "containerStatuses")
	pathStatusMessage   = fieldpath.Fields("status", "message")
	pathScaleConditions = fieldpath.Fields("metadata", "annotations", "autoscaling.alpha.kubernetes.io/conditions")
)

// replicas returns how many replicas are wanted: one if nothing is said.
func (o *object) replicas() int64 {
	if n, found := o.number(pathReplicas); found {
		return n
	}
	return 1
}

func deployment(o *object) Health {
	if c := o.condition("Progressing"); c.reason == "ProgressDeadlineExceeded" {
		return c.told()
	}
	updated := o.count(pathUpdatedReplicas)
	if h := counted(updated, o.replicas(), "replicas", "updated"); !h.Healthy {
		return h
	}
	if old := o.count(pathStatusReplicas) - updated; old > 0 {
		return not("replicas that are not updated are still there: %d", old)
	}
	return counted(o.count(pathAvailableReplicas), updated, "replicas", "available")
}

func statefulSet(o *object) Health {
	want := o.replicas()
	ready := counted(o.count(pathReadyReplicas), want, "replicas", "ready")
	if o.text(pathStrategy) == "OnDelete" {
		return ready
	}
	want = max(0, want-o.count(pathPartition))
	return first(ready, counted(o.count(pathUpdatedReplicas), want, "replicas", "updated"))
}

func daemonSet(o *object) Health {
	want, found := o.number(pathDesiredPods)
	if !found {
		return not("how many pods there are to be is not known yet")
	}
	available := counted(o.count(pathAvailablePods), want, "pods", "available")
	if o.text(pathStrategy) == "OnDelete" {
		return available
	}
	return first(counted(o.count(pathUpdatedPods), want, "pods", "updated"), available)
}

func replicaSet(o *object) Health {
	if c := o.condition("ReplicaFailure"); c.status == "True" {
		return c.told()
	}
	return counted(o.count(pathAvailableReplicas), o.replicas(), "replicas", "available")
}

func pod(o *object) Health {
	switch phase := o.text(pathPhase); phase {
	case "Succeeded":
		return healthy
	case "Running":
		ready := o.isTrue(o.condition("Ready"))
		if waiting := o.waiting(); !ready.Healthy && waiting != "" {
			return not("%s", waiting)
		}
		return ready
	case "Pending":
		if c := o.condition("PodScheduled"); c.status == "False" {
			return c.told()
		}
		if waiting := o.waiting(); waiting != "" {
			return not("%s", waiting)
		}
	case "Failed":
		if message := o.text(pathStatusMessage); message != "" {
			return not("it has failed: %s", short(message))
		}
	}
	return inPhase("Succeeded")(o)
}

// waiting tells what a container waits for, if one does.
func (o *object) waiting() string {
	for _, v := range o.list(pathContainers) {
		container, _ := v.(map[string]any)
		state, _ := container["state"].(map[string]any)
		waiting, _ := state["waiting"].(map[string]any)
		reason, _ := waiting["reason"].(string)
		name, _ := container["name"].(string)
		if reason != "" {
			return "container " + short(name) + " is waiting: " + short(reason)
		}
	}
	return ""
}

func job(o *object) Health {
	for _, typ := range []string{"Failed", "Suspended"} {
		if c := o.condition(typ); c.status == "True" {
			return c.told()
		}
	}
	if o.condition("Complete").status == "True" {
		return healthy
	}
	return not("it is not complete yet")
}

// autoscaler takes the conditions of autoscaling/v1 from an annotation, where the
// API server puts them, since that version has no field for them.
func autoscaler(o *object) Health {
	if text := o.text(pathScaleConditions); text != "" && o.list(pathConditions) == nil {
		// What is no list of conditions has none.
		_ = json.Unmarshal([]byte(text), &o.conditions)
		o.read = true
	}
	active := o.condition("ScalingActive")
	if active.reason == "ScalingDisabled" {
		return o.isTrue(o.condition("AbleToScale"))
	}
	return first(o.isTrue(o.condition("AbleToScale")), o.isTrue(active))
}

func disruptionBudget(o *object) Health {
	if c := o.condition("DisruptionAllowed"); c.reason == "SyncFailed" {
		return c.told()
	}
	return healthy
}
