// The members of mutation inputs. Clients query them before they send one, and unknown members are refused.

/** The members that each mutation reads, and those that change nothing here. */
export const MEMBERS = {
  upsertModel: "id name entityName framework access",
  upsertBucket:
    "id name entityName modelName displayName description notes config summaryMetrics tags groupName jobType state commit host debug jobProgram jobRepo",
  deleteRun: "id deleteArtifacts",
  deleteFiles: "files projectId",
  createRunFiles: "entityName projectName runName files",
  createArtifact:
    "entityName projectName runName artifactTypeName artifactCollectionName artifactCollectionNames digest digestAlgorithm aliases tags description metadata historyStep enableDigestDeduplication clientID sequenceClientID",
  createArtifactManifest:
    "artifactID digest name entityName projectName runName includeUpload baseArtifactID type",
  updateArtifactManifest: "artifactManifestID digest includeUpload baseArtifactID",
  createArtifactFiles: "artifactFiles storageLayout",
  commitArtifact: "artifactID",
  updateArtifact: "artifactID description metadata tagsToAdd tagsToDelete",
  deleteArtifact: "artifactID deleteAliases",
  useArtifact: "artifactID entityName projectName runName usedAs",
  addAliases: "artifactID aliases",
  deleteAliases: "artifactID aliases",
} as const;

/** The names of the members of a mutation's input. */
export function membersOf(mutation: keyof typeof MEMBERS): readonly string[] {
  return ["clientMutationId", ...MEMBERS[mutation].split(" ")];
}
