-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "clean_up_at" TIMESTAMPTZ(3),
ADD COLUMN     "clean_up_looks" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "operation_clean_up_at_idx" ON "operation"("clean_up_at");

-- What ended lately without a proposal may have left a branch that nobody has reported as gone.
UPDATE "operation" SET "clean_up_at" = now()
WHERE "state" IN ('failed', 'cancelled', 'expired') AND "settled_at" > now() - interval '1 day'
  AND "outcome"->>'kind' = 'failure'
  AND EXISTS (SELECT 1 FROM "event" WHERE "operation_id" = "operation"."id" AND "type" = 'proposal.committed');
