// The members of the inputs of mutations, by which a member that no one would read is refused, and which clients ask for before
// they send one.

/** The members that each mutation reads, and those that change nothing here. */
export const MEMBERS = {
  upsertModel: "id name entityName framework access",
  upsertBucket:
    "id name entityName modelName displayName description notes config summaryMetrics tags groupName jobType state commit host debug jobProgram jobRepo",
  deleteRun: "id deleteArtifacts",
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
