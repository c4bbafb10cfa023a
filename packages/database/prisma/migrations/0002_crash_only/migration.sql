-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "lost_at" TEXT,
ADD COLUMN     "lost_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "not_before" TIMESTAMPTZ(3),
ADD COLUMN     "origin" TEXT,
ADD COLUMN     "pause_asked_by" TEXT;

-- AlterTable
ALTER TABLE "attempt" ADD COLUMN     "claim_key" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "parts_before" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE UNIQUE INDEX "operation_organization_id_origin_key" ON "operation"("organization_id", "origin");

-- CreateIndex
CREATE INDEX "operation_state_idx" ON "operation"("state");

-- Lists of the contract (a test keeps them in step)
ALTER TABLE "operation" DROP CONSTRAINT "operation_state_check";
ALTER TABLE "operation" ADD CONSTRAINT "operation_state_check" CHECK ("state" IN ('queued', 'paused', 'preparing', 'awaiting_plan', 'acting', 'verifying', 'proposing', 'awaiting_approval', 'approved', 'merging', 'merged', 'deploying', 'released', 'answered', 'unchanged', 'rejected', 'failed', 'cancelled', 'expired'));
