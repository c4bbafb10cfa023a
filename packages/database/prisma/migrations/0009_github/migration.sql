-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "held_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "held_by" TEXT;

-- AlterTable
ALTER TABLE "pull_request" ADD COLUMN     "remote_state" TEXT,
ADD COLUMN     "url" TEXT;

-- AlterTable
ALTER TABLE "repository" ADD COLUMN     "default_branch" TEXT,
ADD COLUMN     "github_id" BIGINT,
ADD COLUMN     "installation_id" BIGINT;

-- CreateIndex
CREATE INDEX "pull_request_repository_id_state_created_at_idx" ON "pull_request"("repository_id", "state", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "repository_organization_id_github_id_key" ON "repository"("organization_id", "github_id");

-- AddCheck
ALTER TABLE "repository" ADD CONSTRAINT "repository_forge_check" CHECK ("forge" IN ('local', 'github'));
ALTER TABLE "repository" ADD CONSTRAINT "repository_github_id_check" CHECK ("forge" <> 'github' OR "github_id" IS NOT NULL);
