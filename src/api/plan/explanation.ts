/** Why a template is where it is, as `why` answers it. */
export interface Explanation {
  readonly template: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
  };
  /** Every policy that means it, the first in rank first. */
  readonly policies: readonly ExplainedPolicy[];
  /** What acts on it now, in words. */
  readonly activation: string;
  /** What waits, and for what. */
  readonly pending?: string;
  /** Where scheduling stands; absent: there is no binding. */
  readonly scheduled?: string;
  readonly clusters: readonly ExplainedCluster[];
}

export interface ExplainedPolicy {
  readonly policy: string;
  readonly holds: boolean;
  /** By what it means the template: its name, its labels, or everything of the kind. */
  readonly matchedBy: "name" | "labels" | "kind";
  readonly priority: number;
  /** What puts it behind the one before it. */
  readonly behindBy?: "scope" | "priority" | "precision" | "name";
}

export interface ExplainedCluster {
  readonly name: string;
  readonly in: boolean;
  readonly replicas?: number;
  /** What decided: a filter by its name, `Spread`, `Division`, `Scheduled`, `Follows`. */
  readonly decidedBy: string;
  readonly reason: string;
  /** What would have to change, where it is out. */
  readonly remedy?: string;
  /** The rules of overrides about it, in the order in which they apply. */
  readonly overrides: readonly string[];
  /** How its work is. */
  readonly work?: string;
  /** How the object in the member is. */
  readonly member?: string;
}
