/**
 * The part of GitHub's GraphQL schema that Fettle uses, with GitHub's names. A test compares it with the published one.
 * Queries for anything else are errors.
 */
import { buildSchema } from 'graphql';

const schemaText = `
  scalar DateTime
  scalar URI
  scalar GitObjectID

  type Query {
    repository(owner: String!, name: String!): Repository
    node(id: ID!): Node
    viewer: User!
    rateLimit: RateLimit
  }

  type Mutation {
    convertPullRequestToDraft(input: ConvertPullRequestToDraftInput!): ConvertPullRequestToDraftPayload
    markPullRequestReadyForReview(input: MarkPullRequestReadyForReviewInput!): MarkPullRequestReadyForReviewPayload
    resolveReviewThread(input: ResolveReviewThreadInput!): ResolveReviewThreadPayload
    unresolveReviewThread(input: UnresolveReviewThreadInput!): UnresolveReviewThreadPayload
    addPullRequestReviewThreadReply(input: AddPullRequestReviewThreadReplyInput!): AddPullRequestReviewThreadReplyPayload
  }

  interface Node { id: ID! }
  interface Actor { login: String! }

  type User implements Node & Actor { id: ID! login: String! databaseId: Int }
  type Bot implements Node & Actor { id: ID! login: String! databaseId: Int }
  type Organization implements Node & Actor { id: ID! login: String! databaseId: Int }
  type RateLimit { limit: Int! cost: Int! remaining: Int! used: Int! resetAt: DateTime! }

  type Repository implements Node {
    id: ID!
    databaseId: Int
    name: String!
    nameWithOwner: String!
    pullRequest(number: Int!): PullRequest
  }

  enum PullRequestState { OPEN CLOSED MERGED }

  type PullRequest implements Node {
    id: ID!
    number: Int!
    title: String!
    url: URI!
    state: PullRequestState!
    isDraft: Boolean!
    closed: Boolean!
    merged: Boolean!
    headRefName: String!
    headRefOid: GitObjectID!
    baseRefName: String!
    baseRefOid: GitObjectID!
    reviewThreads(first: Int, last: Int, after: String, before: String): PullRequestReviewThreadConnection!
  }

  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }

  type PullRequestReviewThreadConnection {
    nodes: [PullRequestReviewThread]
    pageInfo: PageInfo!
    totalCount: Int!
  }

  enum DiffSide { LEFT RIGHT }

  type PullRequestReviewThread implements Node {
    id: ID!
    isResolved: Boolean!
    isOutdated: Boolean!
    resolvedBy: User
    path: String!
    line: Int
    startLine: Int
    originalLine: Int
    diffSide: DiffSide!
    pullRequest: PullRequest!
    comments(first: Int, last: Int, after: String, before: String): PullRequestReviewCommentConnection!
  }

  type PullRequestReviewCommentConnection {
    nodes: [PullRequestReviewComment]
    pageInfo: PageInfo!
    totalCount: Int!
  }

  type PullRequestReviewComment implements Node {
    id: ID!
    databaseId: Int
    fullDatabaseId: BigInt
    author: Actor
    body: String!
    path: String!
    url: URI!
    createdAt: DateTime!
  }

  scalar BigInt

  input ConvertPullRequestToDraftInput { clientMutationId: String pullRequestId: ID! }
  input MarkPullRequestReadyForReviewInput { clientMutationId: String pullRequestId: ID! }
  input ResolveReviewThreadInput { clientMutationId: String threadId: ID! }
  input UnresolveReviewThreadInput { clientMutationId: String threadId: ID! }
  input AddPullRequestReviewThreadReplyInput {
    clientMutationId: String
    pullRequestReviewThreadId: ID!
    body: String!
  }

  type ConvertPullRequestToDraftPayload { clientMutationId: String pullRequest: PullRequest }
  type MarkPullRequestReadyForReviewPayload { clientMutationId: String pullRequest: PullRequest }
  type ResolveReviewThreadPayload { clientMutationId: String thread: PullRequestReviewThread }
  type UnresolveReviewThreadPayload { clientMutationId: String thread: PullRequestReviewThread }
  type AddPullRequestReviewThreadReplyPayload { clientMutationId: String comment: PullRequestReviewComment }
`;

export const schema = buildSchema(schemaText);
